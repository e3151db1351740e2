"""The administrator's pages: products, orders, and what the home page shows first."""

from playwright.sync_api import expect


def test_menu_opens_on_hover(admin):
    """The administrator's menu is hidden until the mouse is over it."""
    admin.goto("/")
    entry = admin.page.get_by_role("link", name="Manage orders")
    expect(entry).to_be_hidden()
    admin.do('hover over "Admin"')
    expect(entry).to_be_visible()
    admin.do('click "Manage orders"')
    expect(admin.page.get_by_role("heading", level=1)).to_have_text("Manage orders")


def test_edit_a_product(admin):
    """Price and stock are changed in a dialog, and customers see them."""
    admin.goto("/admin/products")
    admin.do('click "Edit" next to "Espresso Cup"')
    expect(admin.page.get_by_role("dialog", name="Edit Espresso Cup")).to_be_visible()
    admin.do('fill "Price in dollars" with "12.50", fill "Stock" with "5" and click "Save"')
    expect(admin.page.get_by_role("status")).to_have_text("Espresso Cup was saved.")
    admin.do('click "Espresso Cup" and wait for "Only 5 left"')
    expect(admin.page.get_by_role("article").first).to_contain_text("$12.50")


def test_edit_and_cancel(admin, database):
    """What was entered in a dialog that is cancelled is not stored."""
    admin.goto("/admin/products")
    admin.do('click "Edit" next to "Espresso Cup" and clear "Stock"')
    dialog = admin.page.get_by_role("dialog", name="Edit Espresso Cup")
    expect(dialog.get_by_label("Stock")).to_be_empty()
    admin.do('click "Cancel"')
    expect(dialog).to_be_hidden()
    assert database.execute("SELECT stock FROM products WHERE id = 3").fetchone() == (40,)


def test_edit_with_a_wrong_price(admin, database):
    """A price that is none has a message beside it, and nothing is stored."""
    admin.goto("/admin/products")
    admin.do('click "Edit" next to "Espresso Cup"')
    admin.do('fill "Price in dollars" in "Edit Espresso Cup" with "free" and press Enter')
    page = admin.page
    expect(page.get_by_role("heading", level=1)).to_have_text("Edit Espresso Cup")
    expect(page.get_by_label("Price in dollars")).to_have_accessible_description(
        "Price must be an amount such as 18.50."
    )
    assert database.execute("SELECT price FROM products WHERE id = 3").fetchone() == (1100,)


def test_delete_a_product(admin):
    """A deletion that is confirmed takes the product out of the shop."""
    admin.goto("/admin/products")
    admin.do('click "Delete" next to "Cat Bowl" and accept the dialog')
    page = admin.page
    expect(page.get_by_role("status")).to_have_text("Cat Bowl was deleted.")
    expect(page.get_by_text("23 products")).to_be_visible()
    expect(page.get_by_role("link", name="Cat Bowl")).to_have_count(0)
    admin.goto("/products/20")
    expect(page.get_by_role("heading", level=1)).to_have_text("We could not find that page")


def test_delete_a_product_after_all_not(admin, database):
    """A deletion that is not confirmed leaves everything as it is."""
    asked = []
    admin.page.on("dialog", lambda dialog: asked.append(dialog.message))
    admin.goto("/admin/products")
    admin.do('click "Delete" next to "Cat Bowl" and dismiss the dialog')
    assert asked == ["Delete Cat Bowl? This cannot be undone."]
    expect(admin.page.get_by_role("link", name="Cat Bowl")).to_be_visible()
    assert database.execute("SELECT count(*) FROM products").fetchone() == (24,)


def test_customer_sees_the_status_of_an_order(admin, dana):
    """Dana, in a browser of her own, sees what the administrator chose."""
    dana.goto("/orders")
    row = dana.page.get_by_role("row", name="MUG-1002")
    expect(row).to_contain_text("Shipped")
    admin.goto("/admin/orders")
    admin.do('select "Delivered" in "Status of MUG-1002"')
    expect(admin.page.get_by_role("status")).to_have_text("Order MUG-1002 is now Delivered.")
    dana.do("reload")
    expect(row).to_contain_text("Delivered")


def test_drag_a_featured_product(admin):
    """A product that is dragged to the top is the first on the home page, too."""
    admin.goto("/admin/featured")
    admin.do('drag "Cereal Bowl" to "Speckled Mug" and wait for "Order saved."')
    admin.goto("/")
    featured = admin.page.get_by_role("region", name="Featured products")
    expect(featured.get_by_role("heading", level=3)).to_have_text(
        [
            "Cereal Bowl",
            "Speckled Mug",
            "Striped Mug",
            "Dinner Plate",
            "Giant Cocoa Mug",
            "Gift Box for Two",
            "Checkered Plate",
            "Linen Tea Towel",
        ]
    )


def test_only_for_administrators(dana):
    """A customer has no such menu, and the pages are closed to her."""
    dana.goto("/admin/products")
    expect(dana.page.get_by_role("heading", level=1)).to_have_text("This page is not for you")
    expect(dana.page.get_by_role("button", name="Admin")).to_have_count(0)
    expect(dana.page.get_by_role("button", name="Delete")).to_have_count(0)

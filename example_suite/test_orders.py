"""Orders that were placed, their invoices, and that nobody sees another's."""

from playwright.sync_api import expect


def test_list_and_one_order(dana):
    """From the list to the order, with its items, its totals and its address."""
    dana.goto("/")
    dana.do('click "My orders" and click "MUG-1002"')
    page = dana.page
    items = page.get_by_role("region", name="Items")
    expect(items.get_by_role("listitem")).to_have_text("2 × Speckled Mug (Cream) $36.00")
    expect(items.get_by_role("definition")).to_have_text(["$36.00", "$12.90", "$48.90"])
    expect(page.get_by_role("region", name="Goes to")).to_contain_text("Kiln Lane 12")
    expect(page.get_by_text("Shipped")).to_be_visible()


def test_invoice(dana):
    """The invoice is downloaded as a text file with every line of the order."""
    dana.goto("/orders")
    with dana.page.expect_download() as download:
        dana.do('click "Download" next to "MUG-1002"')
    assert download.value.suggested_filename == "invoice-MUG-1002.txt"
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[1] == "Invoice for order MUG-1002 of 2026-02-17"
    assert [line.split() for line in lines if "$" in line] == [
        ["2", "x", "Speckled", "Mug", "(Cream)", "$36.00"],
        ["Subtotal", "$36.00"],
        ["Delivery", "(Express)", "$12.90"],
        ["Total", "$48.90"],
    ]
    assert lines[-1] == "Paid with card ending in 4242"


def test_two_users_see_their_own_orders(dana, new_context, webtask_for):
    """Rita, in a browser of her own, sees her order and not Dana's, and the other way round."""
    rita = webtask_for(new_context().new_page(), name="rita")
    rita.do('go to "/orders", fill "Username" with "rita", fill "Password" with {rita_password}')
    rita.do('click the "Log in" button')
    dana.goto("/orders")
    expect(rita.page.get_by_role("rowheader")).to_have_text(["MUG-1001"])
    expect(dana.page.get_by_role("rowheader")).to_have_text(["MUG-1002"])
    rita.goto("/orders/MUG-1002")
    expect(rita.page.get_by_role("main")).to_contain_text("You have no order MUG-1002.")

"""What customers think: stars, and reviews with a picture."""

from playwright.sync_api import expect


def test_rate_a_product(webtask):
    """Stars count into the average; other stars replace them, and they stay after a reload."""
    webtask.goto("/products/1")
    rating = webtask.page.get_by_role("region", name="Rate this product")
    expect(rating).to_contain_text("Average 4.5 of 5 (2 ratings)")
    webtask.do('click "3 stars"')
    expect(rating.get_by_role("status")).to_have_text("Thank you for rating 3 stars.")
    expect(rating).to_contain_text("Average 4.0 of 5 (3 ratings)")
    webtask.do('click "1 star", wait for "Thank you for rating 1 star.", reload')
    expect(rating).to_contain_text("Average 3.3 of 5 (3 ratings)")
    expect(rating.get_by_role("button", pressed=True)).to_have_accessible_name("1 star")


def test_review_with_a_picture(webtask):
    """A review comes first in the list, with its picture as it was uploaded."""
    webtask.goto("/products/1")
    webtask.do('click the "Reviews (2)" tab')
    webtask.do(
        'fill "Your name" with "Petra", fill "Your review" with "It is blue, and I like it."'
    )
    webtask.do('upload "my mug" to "Picture (optional)" and click "Post review"')
    page = webtask.page
    expect(page.get_by_text("Thank you for your review.")).to_be_visible()
    expect(page.get_by_role("tab", selected=True)).to_have_text("Reviews (3)")
    review = page.get_by_role("tabpanel").get_by_role("article").first
    expect(review.get_by_role("heading")).to_contain_text("Petra")
    expect(review.get_by_role("paragraph")).to_have_text("It is blue, and I like it.")
    expect(review.get_by_role("img", name="Picture by Petra")).to_have_js_property(
        "naturalWidth", 48
    )


def test_review_with_another_file(webtask, database):
    """A file that is not a picture is refused, and the review is not stored."""
    webtask.goto("/products/1?tab=reviews")
    webtask.do('fill "Your name" with "Petra" and fill "Your review" with "Fine."')
    webtask.do('upload "receipt" to "Picture" and click "Post review"')
    expect(webtask.page.get_by_role("alert")).to_have_text(
        "The picture must be a PNG, JPEG, GIF or WebP file."
    )
    assert database.execute("SELECT count(*) FROM reviews").fetchone() == (3,)

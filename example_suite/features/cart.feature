Feature: The cart

  Background:
    Given go to "/products"

  Scenario: Pieces of one product
    When click {product}, fill "Quantity" with {number}, then click the "Add to cart" button next to "Quantity"
      | product      | number |
      | Espresso Cup | 4      |
    And go to "/cart"
    Then "$44.00" is visible

  Scenario: A product is removed
    When click "Add to cart" next to "Espresso Cup"
    And go to "/cart", then click "Remove" next to "Espresso Cup"
    Then "Your cart is empty. See all products" is visible

  Scenario: The cheapest product
    When put one piece of the cheapest product into the cart
    Then the cart holds one espresso cup

Feature: The cart

  Background:
    Given go to "/products"

  Scenario: Pieces of one product
    When put {number} pieces of {product} into the cart and open the cart
      | product      | number |
      | Espresso Cup | 3      |
    Then the cart has {number} pieces of {product}
      | product      | number |
      | Espresso Cup | 3      |

  Scenario: A product is removed
    When click "Add to cart" next to "Espresso Cup"
    And go to "/cart", then click "Remove" next to "Espresso Cup"
    Then "Your cart is empty." is visible

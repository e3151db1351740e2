-- Money is in cents. "owner" is 'user:ID' once somebody has logged in, 'visitor:TOKEN' before.

CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    full_name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    is_admin INTEGER NOT NULL DEFAULT 0,
    wishlist_name TEXT NOT NULL DEFAULT 'My wishlist'
);

CREATE TABLE products (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    category TEXT NOT NULL,
    price INTEGER NOT NULL CHECK (price > 0),
    stock INTEGER NOT NULL CHECK (stock >= 0),
    description TEXT NOT NULL,
    care TEXT NOT NULL,
    option_name TEXT NOT NULL DEFAULT '',   -- such as 'Colour'; empty: nothing to choose
    options TEXT NOT NULL DEFAULT '',       -- the choices, separated by '|'
    picture TEXT NOT NULL,                  -- 'shape pattern colour second-colour background'
    featured INTEGER                        -- place among the featured products, or NULL
);

CREATE TABLE ratings (
    product_id INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
    owner TEXT NOT NULL,
    stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
    PRIMARY KEY (product_id, owner)
);

CREATE TABLE reviews (
    id INTEGER PRIMARY KEY,
    product_id INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
    author TEXT NOT NULL,
    text TEXT NOT NULL,
    picture TEXT NOT NULL DEFAULT '',       -- a file name in the uploads folder
    posted_on TEXT NOT NULL
);

CREATE TABLE cart_items (
    id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    product_id INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
    option TEXT NOT NULL DEFAULT '',
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    UNIQUE (owner, product_id, option)
);

CREATE TABLE cart_coupons (owner TEXT PRIMARY KEY, code TEXT NOT NULL);

CREATE TABLE wishlist_items (
    user_id INTEGER NOT NULL REFERENCES users,
    product_id INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
    PRIMARY KEY (user_id, product_id)
);

CREATE TABLE cards (token TEXT PRIMARY KEY, owner TEXT NOT NULL, last4 TEXT NOT NULL);

CREATE TABLE orders (
    id INTEGER PRIMARY KEY,                 -- shown as 'MUG-1001'
    user_id INTEGER NOT NULL REFERENCES users,
    placed_on TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'Received',
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    street TEXT NOT NULL,
    city TEXT NOT NULL,
    zip TEXT NOT NULL,
    country TEXT NOT NULL,
    delivery TEXT NOT NULL,
    note TEXT NOT NULL DEFAULT '',
    drawing TEXT NOT NULL DEFAULT '',       -- a PNG as a data URL
    strokes INTEGER NOT NULL DEFAULT 0,
    card_last4 TEXT NOT NULL,
    coupon TEXT NOT NULL DEFAULT '',
    subtotal INTEGER NOT NULL,
    discount INTEGER NOT NULL DEFAULT 0,
    shipping INTEGER NOT NULL,
    total INTEGER NOT NULL
);

-- Name and price are copied: an order must not change when the product does, or is deleted.
CREATE TABLE order_items (
    order_id INTEGER NOT NULL REFERENCES orders,
    name TEXT NOT NULL,
    option TEXT NOT NULL DEFAULT '',
    quantity INTEGER NOT NULL,
    price INTEGER NOT NULL
);

CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    subject TEXT NOT NULL,
    html TEXT NOT NULL,
    sent_on TEXT NOT NULL
);

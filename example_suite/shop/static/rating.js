// <shop-rating>: five star buttons in an open shadow root; saves through fetch and shows the new average.

class ShopRating extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = `
      <style>
        div { display: inline-flex; gap: 2px; }
        button { border: 0; background: none; padding: 4px; font-size: 1.7rem; line-height: 1; color: #cdbfab; cursor: pointer; }
        button.on, div:hover button { color: #d9822b; }
        div:hover button:hover ~ button { color: #cdbfab; }
        button:focus-visible { outline: 3px solid #2f6f8f; border-radius: 6px; }
        p { margin: 4px 0 0; font-size: .95rem; color: #5d564c; }
      </style>
      <div role="group" aria-label="Your rating"></div>
      <p class="average"></p>
      <p role="status"></p>`;
    this.buttons = [1, 2, 3, 4, 5].map((stars) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "★";
      button.setAttribute("aria-label", stars === 1 ? "1 star" : `${stars} stars`);
      button.addEventListener("click", () => this.save(stars));
      root.querySelector("div").append(button);
      return button;
    });
    this.show(Number(this.dataset.average), Number(this.dataset.count), Number(this.dataset.own));
  }

  show(average, count, own) {
    this.buttons.forEach((button, index) => {
      button.classList.toggle("on", index < (own || Math.round(average)));
      button.setAttribute("aria-pressed", String(index + 1 === own));
    });
    this.shadowRoot.querySelector(".average").textContent = count
      ? `Average ${average.toFixed(1)} of 5 (${count} ${count === 1 ? "rating" : "ratings"})`
      : "Not rated yet";
  }

  async save(stars) {
    const status = this.shadowRoot.querySelector("[role=status]");
    try {
      const answer = await fetch(this.dataset.url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          "X-CSRF-Token": document.querySelector('meta[name="csrf-token"]').content,
        },
        body: JSON.stringify({ stars }),
      });
      if (!answer.ok) throw new Error();
      const rating = await answer.json();
      this.show(rating.average, rating.count, rating.own);
      status.textContent = `Thank you for rating ${stars === 1 ? "1 star" : `${stars} stars`}.`;
    } catch {
      status.textContent = "Your rating could not be saved.";
    }
  }
}

customElements.define("shop-rating", ShopRating);

// Inside the payment frame: check and save the card, then tell the checkout around it.

const form = document.querySelector("form");
const tell = (message) => parent.postMessage(message, location.origin);
const tellHeight = () => tell({ type: "height", height: document.documentElement.offsetHeight });

function show(errors) {
  for (const name of ["number", "expiry", "cvc"]) {
    const line = document.getElementById(`${name}-error`);
    line.textContent = errors[name] || "";
    line.hidden = !errors[name];
    document.getElementById(name).setAttribute("aria-invalid", String(Boolean(errors[name])));
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const status = form.querySelector("[role=status]");
  status.textContent = "";
  try {
    const answer = await fetch(form.dataset.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-CSRF-Token": document.querySelector('meta[name="csrf-token"]').content,
      },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    });
    const result = await answer.json();
    show(result.errors || {});
    if (answer.ok) {
      form.reset();
      status.textContent = "Card saved.";
      tell({ type: "card-saved", token: result.token, last4: result.last4 });
    }
  } catch {
    status.textContent = "The card could not be saved. Please try again.";
  }
  tellHeight();
});

new ResizeObserver(tellHeight).observe(document.documentElement);

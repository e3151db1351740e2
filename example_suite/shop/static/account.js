// Renaming the wishlist, which asks with a prompt.

const button = document.getElementById("rename");
const heading = document.getElementById("wishlist");
button.addEventListener("click", async () => {
  const name = prompt("New name of your wishlist", heading.textContent);
  if (name === null) return;
  const status = document.getElementById("rename-status");
  try {
    const answer = await fetch(button.dataset.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "X-CSRF-Token": document.querySelector('meta[name="csrf-token"]').content,
      },
      body: JSON.stringify({ name }),
    });
    const result = await answer.json();
    if (answer.ok) heading.textContent = result.name;
    status.textContent = answer.ok ? "Wishlist renamed." : result.error;
  } catch {
    status.textContent = "The wishlist could not be renamed.";
  }
});

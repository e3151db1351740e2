// The rich-text message: formatting buttons, and handing its HTML to the form.

const form = document.getElementById("message-form");
const editor = document.getElementById("editor");

for (const button of form.querySelectorAll("[data-command]")) {
  // Keep the selection: a button would take the focus from the editor.
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => {
    editor.focus();
    document.execCommand(button.dataset.command);
  });
}

form.addEventListener("submit", () => {
  form.elements.message.value = editor.innerHTML;
});

// A click on a plot shows it as large as the window; without scripts the link opens the picture itself.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a.zoom");
  if (!link || typeof HTMLDialogElement === "undefined") return;
  event.preventDefault();
  const dialog = document.createElement("dialog");
  dialog.className = "zoomed";
  const picture = document.createElement("img");
  picture.src = link.href;
  picture.alt = link.querySelector("img").alt;
  dialog.append(picture);
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
});

/**
 * Puts `place` where the outline is that came with the page; returns a function that shows it instead, with the same
 * groups open. Until then it is laid out but invisible: Swagger UI scrolls to the operation that the address names.
 */
export function replaceOutline(place: HTMLElement): () => void {
  const outline = document.getElementById('outline');
  outline?.before(place);
  place.classList.add('invisible');
  return () => {
    if (!outline?.isConnected) return;
    const open = [...outline.querySelectorAll<HTMLElement>('details[open]')].map(
      ({ dataset }) => dataset.tag,
    );
    outline.remove();
    place.classList.remove('invisible');
    for (const group of place.querySelectorAll<HTMLElement>('.opblock-tag[data-is-open=false]'))
      if (open.includes(group.dataset.tag)) group.click();
  };
}

/**
 * Inserts `container` before the outline that the service rendered. Returns a function that replaces the outline by
 * `container`, with the same groups open. Until then `container` is laid out but invisible, because Swagger UI scrolls
 * to the operation in the URL.
 */
export function replaceOutline(container: HTMLElement): () => void {
  const outline = document.getElementById('outline');
  outline?.before(container);
  container.classList.add('invisible');
  return () => {
    if (!outline?.isConnected) return;
    const open = [...outline.querySelectorAll<HTMLElement>('details[open]')].map(
      ({ dataset }) => dataset.tag,
    );
    outline.remove();
    container.classList.remove('invisible');
    for (const group of container.querySelectorAll<HTMLElement>('.opblock-tag[data-is-open=false]'))
      if (open.includes(group.dataset.tag)) group.click();
  };
}

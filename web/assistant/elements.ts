const SVG = 'http://www.w3.org/2000/svg';

/** Creates an element with attributes and children. */
export function create<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

/** Creates an icon of one path on a grid of 24, hidden from screen readers. */
export function createIcon(path: string): SVGElement {
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  icon.append(line);
  return icon;
}

/** Creates an element whose shadow root has these styles, also on a page whose policy forbids inline styles. */
export function createShadow(styles: string): { readonly host: HTMLElement; readonly root: ShadowRoot } {
  const host = create('div', {});
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];
  return { host, root };
}

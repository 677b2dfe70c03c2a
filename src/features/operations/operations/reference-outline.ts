/**
 * The operations of an OpenAPI document as plain HTML. The reference shows this outline until Swagger UI, which is
 * thirty times as large, has loaded.
 */
import Type from 'typebox';
import { Value } from 'typebox/value';
import { type Html, html } from '../../../http/html.ts';

const Operation = Type.Object({
  operationId: Type.String(),
  summary: Type.String(),
  tags: Type.Tuple([Type.String()]),
});

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const OpenApiDocument = Type.Object({
  tags: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
  paths: Type.Record(Type.String(), Type.Partial(Type.Record(Type.Enum([...METHODS]), Operation))),
});

/** Returns the operations by tag, each with a link to its place in Swagger UI. */
export function referenceOutline(document: unknown): Html {
  const { tags, paths } = Value.Parse(OpenApiDocument, document);
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method, path, ...operation }];
    }),
  );
  const byTag = Map.groupBy(operations, (operation) => operation.tags[0]);
  return html`<main id="outline" class="text outline">
<h1>API reference</h1>
<p>${operations.length} operations. Each opens with its parameters, responses, examples, and a form to try it out.</p>
<nav aria-label="Operations">
${tags.map(
  ({
    name,
    description,
  }) => html`<details data-tag="${name}"><summary><h2>${name}</h2> ${description}</summary>
<ul>${(byTag.get(name) ?? []).map(
    ({ method, path, operationId, summary }) => html`
<li><b>${method.toUpperCase()}</b> <a href="#/${encodeURIComponent(name)}/${operationId}">${path}</a> <span>${summary}</span></li>`,
  )}
</ul></details>
`,
)}</nav></main>`;
}

/** Styles of the outline, inline, so that no other file delays it. */
export const OUTLINE_STYLES = html`<style>
  .outline details { border-top: 1px solid var(--line); }
  .outline details summary { padding: .75rem 0; color: var(--soft); }
  .outline details summary h2 { display: inline; margin: 0 .5rem 0 0; font-size: 1.15rem; color: var(--text); }
  .outline ul { margin: 0 0 1rem; padding: 0; list-style: none; }
  .outline li { display: grid; grid-template-columns: 4.5rem 1fr; padding: .4rem 0 .4rem 1rem; color: var(--soft); }
  .outline li b, .outline li a { font: .875rem/1.7 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
  .outline li b { font-weight: 700; }
  .outline li span { grid-column: 2; }
</style>`;

/** Conversion of listmonk's Go templates to Tessera's template language. */

/** Place of a campaign's body in its template. */
export const CONTENT = '<!-- content -->';

const RULES: readonly (readonly [RegExp, string])[] = [
  [/^template "content" \.$/, CONTENT],
  [/^\.Subscriber\.Email$/, '{{subscriber.email}}'],
  [
    /^\.Subscriber\.Name$/,
    '{{subscriber.first_name}}{{#if subscriber.last_name}} {{subscriber.last_name}}{{/if}}',
  ],
  [/^\.Subscriber\.FirstName$/, '{{subscriber.first_name}}'],
  [/^\.Subscriber\.LastName$/, '{{#if subscriber.last_name}}{{subscriber.last_name}}{{/if}}'],
  [/^\.Subscriber\.Attribs\.(\w{1,64})$/, '{{#if subscriber.$1}}{{subscriber.$1}}{{/if}}'],
  [/^\.Campaign\.Name$/, '{{campaign.name}}'],
  [/^\.Tx\.Data\.(\w{1,64})$/, '{{$1}}'],
  [/^UnsubscribeURL \.?$|^UnsubscribeURL$/, '{{unsubscribe_url}}'],
  [/^ManageURL \.?$|^ManageURL$/, '{{preferences_url}}'],
  [/^MessageURL \.?$|^MessageURL$/, '{{view_in_browser_url}}'],
  [/^TrackView \.?$|^TrackView$/, ''],
  [/^TrackLink "([^"{}]*)"(?: \.)?$/, '$1'],
];

/** A converted text, or the first expression that has no counterpart. */
export type Converted = { readonly text: string } | { readonly unsupported: string };

/** Converts a template. Removes the marks of tracked links, because a setting controls the tracking of all links. */
export function convertTemplate(source: string): Converted {
  let unsupported: string | null = null;
  const text = source
    .replaceAll('@TrackLink', '')
    .replaceAll(/\{\{-?([^{}]*)-?\}\}/g, (whole, inner: string) => {
      const expression = inner.trim().replaceAll(/\s+/g, ' ');
      const rule = RULES.find(([pattern]) => pattern.test(expression));
      if (rule === undefined) unsupported ??= whole;
      return rule === undefined ? whole : expression.replace(rule[0], rule[1]);
    });
  return unsupported === null ? { text } : { unsupported };
}

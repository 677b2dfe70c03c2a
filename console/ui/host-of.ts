/** Returns the host of a URL, with its port; the text itself if it is no URL. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

import type { Page } from 'playwright-core';

/** Returns the drafts that the browser has stored, as JSON texts. */
export function readStoredDrafts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(async () => {
    // Opening a database that is missing would create it, without the store that the console expects.
    const databases = await indexedDB.databases();
    if (!databases.some(({ name }) => name === 'tessera-drafts')) return [];
    return new Promise((resolve, reject) => {
      const request = indexedDB.open('tessera-drafts');
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const drafts = request.result.transaction('drafts').objectStore('drafts').getAll();
        drafts.onerror = () => reject(drafts.error);
        drafts.onsuccess = () => {
          request.result.close();
          resolve(drafts.result.map((draft) => JSON.stringify(draft)));
        };
      };
    });
  })()`);
}

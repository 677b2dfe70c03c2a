import type { Page } from 'playwright-core';

/** Returns the drafts that the browser has stored, as JSON texts. */
export function readStoredDrafts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`new Promise((resolve, reject) => {
    const request = indexedDB.open('tessera-drafts');
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const drafts = request.result.transaction('drafts').objectStore('drafts').getAll();
      drafts.onsuccess = () => {
        request.result.close();
        resolve(drafts.result.map((draft) => JSON.stringify(draft)));
      };
    };
  })`);
}

import type { Model } from 'survey-core';

/**
 * Moves the focus to a page that a button opened. The page's name contains its number (WCAG 2.2, 2.4.3 and 4.1.3).
 *
 * @param nameOf returns the number of a page as text, for example "Page 2 of 3"
 */
export function followPages(survey: Model, nameOf: (page: number, pages: number) => string): void {
  let isChanged = false;
  survey.onCurrentPageChanged.add(() => {
    isChanged = true;
  });
  survey.onAfterRenderPage.add((_survey, { page, htmlElement }) => {
    if (survey.visiblePageCount > 1) {
      const position = nameOf(survey.currentPageNo + 1, survey.visiblePageCount);
      const title = page.hasTitle ? page.locTitle.textOrHtml : '';
      htmlElement.setAttribute('role', 'group');
      htmlElement.setAttribute('aria-label', title === '' ? position : `${position}: ${title}`);
    }
    if (!isChanged) return;
    isChanged = false;
    // Runs after SurveyJS, which may focus a question with an error.
    setTimeout(() => {
      if (htmlElement.contains(document.activeElement)) return;
      htmlElement.tabIndex = -1;
      htmlElement.focus({ preventScroll: true });
    }, 50);
  });
}

import type { Model } from 'survey-core';

/**
 * Leads keyboards and screen readers to a page that was opened by a button: the focus goes to the page, whose name
 * says which of how many it is (WCAG 2.2, 2.4.3 and 4.1.3).
 *
 * @param nameOf says a page's place, for example "Page 2 of 3"
 */
export function followPages(survey: Model, nameOf: (page: number, pages: number) => string): void {
  let isChanged = false;
  survey.onCurrentPageChanged.add(() => {
    isChanged = true;
  });
  survey.onAfterRenderPage.add((_survey, { page, htmlElement }) => {
    if (survey.visiblePageCount > 1) {
      const place = nameOf(survey.currentPageNo + 1, survey.visiblePageCount);
      const title = page.hasTitle ? page.locTitle.textOrHtml : '';
      htmlElement.setAttribute('role', 'group');
      htmlElement.setAttribute('aria-label', title === '' ? place : `${place}: ${title}`);
    }
    if (!isChanged) return;
    isChanged = false;
    // Later than SurveyJS, which may lead to a question that has an error.
    setTimeout(() => {
      if (htmlElement.contains(document.activeElement)) return;
      htmlElement.tabIndex = -1;
      htmlElement.focus({ preventScroll: true });
    }, 50);
  });
}

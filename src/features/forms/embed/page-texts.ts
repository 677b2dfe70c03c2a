/** What the form page says in its own words; travels to the browser in the visitor's language. */
export interface PageTexts {
  /** Said while the answers are on their way. */
  readonly sending: string;
  /** Said once the answers are stored, where the form has no text of its own for it. */
  readonly sent: string;
  /** The connection or the service failed; trying again can help. */
  readonly notSent: string;
  /** The service refused the answers and gave no reason of its own. */
  readonly refused: string;
  /** The challenge was solved too late for the service; another is solved with the next attempt. */
  readonly unproved: string;
  /** Questions on the page show what is wrong with them. */
  readonly checkAnswers: string;
  /** The form was switched off while the visitor filled it in. */
  readonly formClosed: string;
  /** The answers, most likely files among them, are over the limit of one request. */
  readonly tooLarge: string;
  /** A limit of submissions is reached; `{seconds}` stands for how long to wait. */
  readonly tooMany: string;
  /** The link that leads on after the form; shown where the page around it may not follow a redirect by itself. */
  readonly continueLink: string;
  /** The question that the page adds to a form that asks for no address. */
  readonly emailAddress: string;
  /** Names a page of several; `{page}` and `{pages}` stand for the numbers. */
  readonly pageOf: string;
  /** Shown where scripts are off. */
  readonly needsScript: string;
  /** The heading and the text of the page of a form that is not there. */
  readonly absentTitle: string;
  readonly absentText: string;
}

/** In English, which also stands in for languages that have no translation here. */
export const englishTexts: PageTexts = {
  sending: 'Sending your answers…',
  sent: 'Thank you. Your answers were sent.',
  notSent:
    'Your answers could not be sent. They are still here: check your connection, then press the button again.',
  refused: 'Your answers were not accepted. Please check them and press the button again.',
  unproved: 'Sending took too long. Your answers are still here: please press the button again.',
  checkAnswers: 'Please check the marked answers and press the button again.',
  formClosed: 'This form no longer accepts answers. Yours are still here if you want to copy them.',
  tooLarge: 'Your answers are too large to be sent. Please choose smaller files.',
  tooMany:
    'Too many answers are being sent. Yours are still here: wait about {seconds} seconds, then press the button again.',
  continueLink: 'Continue',
  emailAddress: 'E-mail address',
  pageOf: 'Page {page} of {pages}',
  needsScript: 'This form needs JavaScript. Please turn it on and load the page again.',
  absentTitle: 'This form is not available',
  absentText: 'It may have been closed, or the address may be wrong. Please ask the site that led you here.',
};

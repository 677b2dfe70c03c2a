/** Said while the answers are on their way. */
export const sending = 'Sending your answers…';

/** Said once the answers are stored. */
export const sent = 'Your answers were sent.';

/** The connection or the service failed; trying again can help. */
export const notSent =
  'Your answers could not be sent. They are still here: check your connection, then press the button again.';

/** The service refused the answers and gave no reason of its own. */
export const refused = 'Your answers were not accepted. Please check them and press the button again.';

/** Questions on the page show what is wrong with them. */
export const checkAnswers = 'Please check the marked answers and press the button again.';

/** The form was switched off while the visitor filled it in. */
export const formClosed =
  'This form no longer accepts answers. Yours are still here if you want to copy them.';

/** The answers, most likely files among them, are over the limit of one request. */
export const tooLarge = 'Your answers are too large to be sent. Please choose smaller files.';

/** The link that leads on after the form; shown where the page around it may not follow a redirect by itself. */
export const continueLink = 'Continue';

/** A limit of submissions is reached, of the visitor's network or of the service; `seconds` comes from `Retry-After` and is 0 when it is unknown. */
export function tooMany(seconds: number): string {
  const wait = Number.isFinite(seconds) && seconds > 0 ? `about ${Math.ceil(seconds)} seconds` : 'a minute';
  return `Too many answers are being sent. Yours are still here: wait ${wait}, then press the button again.`;
}

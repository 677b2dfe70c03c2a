/** An answer that is JSON already, as the database makes it: it goes out as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Its value, where an answer is kept to be given again. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

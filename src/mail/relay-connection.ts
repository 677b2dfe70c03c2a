/** The library's SMTP connection, with the parameter SMTPUTF8 for international header fields. */
import SMTPConnection from 'nodemailer/lib/smtp-connection';

/** Method of the library that writes one command to the socket. */
const writeCommand: unknown = Reflect.get(SMTPConnection.prototype, '_sendCommand');

/**
 * An SMTP connection. The library sends SMTPUTF8 only if an address of the envelope needs it, but RFC 6531 section 3.4
 * requires it for header fields too.
 */
export class RelayConnection extends SMTPConnection {
  /** True if MAIL FROM of the next message gets the parameter, in addition to those of the library. */
  addsUtf8 = false;

  /** Overrides the method of the library, which its types omit. */
  _sendCommand(command: string, ...more: readonly unknown[]): void {
    const isExtended = this.addsUtf8 && command.startsWith('MAIL FROM:');
    const text = isExtended ? `${command} SMTPUTF8` : command;
    if (typeof writeCommand === 'function') Reflect.apply(writeCommand, this, [text, ...more]);
  }

  /** True if the relay offers an extension, such as SMTPUTF8. */
  supports(extension: string): boolean {
    const extensions: unknown = Reflect.get(this, '_supportedExtensions');
    return Array.isArray(extensions) && extensions.includes(extension);
  }
}

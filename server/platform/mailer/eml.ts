import PostalMime, { type Address } from 'postal-mime';

/** A mail from the outbox, decoded for display. */
export interface ReadMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly date: string;
  readonly text: string;
}

/** Decodes a file that `openOutbox` wrote. */
export async function readMail(eml: string): Promise<ReadMail> {
  const { from, to: [to] = [], subject = '', headers, text = '' } = await PostalMime.parse(eml);
  const date = headers.find(({ key }) => key === 'date')?.value ?? '';
  return { from: fullAddress(from), to: fullAddress(to), subject, date, text };
}

const fullAddress = ({ name, address = '' }: Address = { name: '', address: '' }): string => (name ? `${name} <${address}>` : address);

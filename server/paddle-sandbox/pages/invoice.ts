import type { ITransactionResponse } from '@paddle/paddle-node-sdk';
import type { SandboxWorld } from '../world.ts';
import { dayOf, dollars } from './page.ts';

/** The invoice of a transaction: a PDF of one page that says it is a test. */
export function invoicePdf({ state }: SandboxWorld, transaction: ITransactionResponse): Buffer {
  const customer = state.customers[transaction.customer_id ?? ''];
  const lines = [
    'Test invoice',
    'Test mode: no money moved. This is no invoice for your books.',
    '',
    `Number: ${transaction.invoice_number ?? ''}`,
    `Date: ${dayOf(transaction.billed_at ?? transaction.created_at)}`,
    `To: ${customer?.name ?? ''} ${customer?.email ?? ''}`,
    '',
    ...(transaction.details?.line_items ?? []).map(
      ({ product, quantity, totals }) => `${quantity} x ${product?.name ?? ''}: ${dollars(totals?.total ?? 0)}`,
    ),
    `Credit: ${dollars(transaction.details?.totals?.credit ?? 0)}`,
    `Paid: ${dollars(transaction.details?.totals?.grand_total ?? 0)}`,
  ];
  return pdfOf(lines);
}

/** A page of lines, the first one larger. What the font has no letter for becomes a question mark. */
function pdfOf(lines: readonly string[]): Buffer {
  const shown = lines.map((line, place) => `/F1 ${place === 0 ? 20 : 11} Tf (${escaped(line)}) Tj 0 -${place === 0 ? 30 : 18} Td`);
  const text = `BT 60 770 Td ${shown.join('\n')} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}

const escaped = (text: string): string => text.replace(/[^\x20-\xff]/g, '?').replace(/[\\()]/g, '\\$&');

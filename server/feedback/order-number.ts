import { createHmac, timingSafeEqual } from 'node:crypto';
import { signatureOf, signedOrder, signedText } from '#contract/feedback/order-number.ts';
import type { PublicForm } from '../form/store.ts';

/** Returns the order number in a form's link if the property's secret signed it. Others are dropped, so that no answer is lost. */
export function orderNumberIn({ receiptSecret, form }: PublicForm, ref: string | undefined): string | undefined {
  const signed = ref === undefined ? undefined : signedOrder(ref);
  if (!signed || receiptSecret === undefined) return undefined;
  const mac = createHmac('sha256', receiptSecret).update(signedText(form.id, signed.order)).digest('base64url');
  return timingSafeEqual(Buffer.from(signatureOf(mac)), Buffer.from(signed.signature)) ? signed.order : undefined;
}

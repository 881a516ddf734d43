/* Order numbers in a form's link, which a till signs with its property's secret (docs/decisions/0016-requests-and-order-numbers.md). */

export const LONGEST_ORDER_NUMBER = 40;

export const ORDER_NUMBER = /^[\w.-]{1,40}$/;

/** An order number, a dot and its signature, with no characters that a URL escapes. */
export const SIGNED_ORDER = /^([\w.-]{1,40})\.([\w-]{16})$/;

/** Returns the order number and the signature; undefined for a malformed text. */
export function signedOrder(text: string): { readonly order: string; readonly signature: string } | undefined {
  const [, order, signature] = SIGNED_ORDER.exec(text) ?? [];
  return order === undefined || signature === undefined ? undefined : { order, signature };
}

/** Returns the text that is signed. With the form's id, an order of one property proves nothing at another. */
export const signedText = (formId: string, order: string): string => `${formId}:${order}`;

/** Returns a signature, given the SHA-256 HMAC of the signed text in base64url: its first 96 bits. */
export const signatureOf = (mac: string): string => mac.slice(0, 16);

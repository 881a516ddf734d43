/** The most messages of a conversation. @limit conversations */
export const MOST_MESSAGES = 100;

/** Returns whether the visitor has seen a message. Both times are UTC ms. */
export const isSeen = ({ seen = 0 }: { readonly seen?: number | undefined }, { sent }: { readonly sent: number }): boolean => seen >= sent;

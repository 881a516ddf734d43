/** A mention in a comment's text, by an id that outlasts a change of name. */
export const MENTION = /@(USER_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g;

/** Returns the ids of the people mentioned in a text, each once, in order. */
export const mentionsIn = (body: string): string[] => [...new Set([...body.matchAll(MENTION)].map(([, id = '']) => id))];

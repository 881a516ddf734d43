import { RATINGS, type Rating } from '#contract/rating.ts';

/** A key as it was pressed, and where. */
export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** In a field that takes text, or in a menu or dialog with keys of its own. */
  readonly isTaken: boolean;
  /** On a row of the list: the arrow keys scroll everywhere else. */
  readonly isOnRow: boolean;
}

export type Command =
  | { readonly do: 'step'; readonly by: 1 | -1 }
  | { readonly do: 'close' }
  | { readonly do: 'rate'; readonly rating: Rating | undefined }
  | { readonly do: 'period'; readonly by: 1 | -1 }
  | { readonly do: 'search' };

/** What a key asks of the feed, if anything (design §11). */
export function commandOf({ key, ctrlKey, metaKey, altKey, isTaken, isOnRow }: Press): Command | undefined {
  if (isTaken || ctrlKey || metaKey || altKey) return undefined;
  const rating = RATINGS.find((each) => String(each) === key);
  if (rating !== undefined) return { do: 'rate', rating };
  switch (key.toLowerCase()) {
    case 'j':
      return { do: 'step', by: 1 };
    case 'k':
      return { do: 'step', by: -1 };
    case 'arrowdown':
      return isOnRow ? { do: 'step', by: 1 } : undefined;
    case 'arrowup':
      return isOnRow ? { do: 'step', by: -1 } : undefined;
    case '0':
      return { do: 'rate', rating: undefined };
    case '[':
      return { do: 'period', by: -1 };
    case ']':
      return { do: 'period', by: 1 };
    case '/':
      return { do: 'search' };
    case 'escape':
      return { do: 'close' };
    default:
      return undefined;
  }
}

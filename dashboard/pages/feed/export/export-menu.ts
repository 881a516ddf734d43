import { t } from '../../../language.ts';
import { useFeedContent } from '../contexts.ts';
import { loadedTotal, totalInWords } from '../list/total.ts';

/* What the menu needs of the export dialog, whose code loads when it opens. */

/** The layer of the export dialog. */
export const EXPORT = 'export';

/** Returns "Export 146 rows". */
export function useExportLabel(): string {
  const { list, unseen, ...listed } = useFeedContent();
  const total = listed.total ?? loadedTotal(list, unseen);
  if (total === undefined) return t('Export');
  return total.isAtLeast
    ? t('Export {total} rows', { total: totalInWords(total) })
    : t.count(total.count, 'Export {count} row', 'Export {count} rows');
}

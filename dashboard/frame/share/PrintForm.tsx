import { useState } from 'react';
import { translatable, type Untranslated } from '#contract/language/translate.ts';
import type { Property } from '#contract/property/property.ts';
import type { Tool } from '#contract/tool/tool.ts';
import { t } from '../../language.ts';
import { Later, loadedLater } from '../../ui/page/Later.tsx';
import { PAPERS, type PaperName, type PrintKind, usualPaper } from '../../ui/print/order.ts';
import { NativeSelect } from '../../ui/theme/mantine.ts';
import { PrintButton } from './PrintButton.tsx';
import styles from './PrintForm.module.css';
import { usePrintOrder } from './usePrintOrder.ts';

const PrintPreview = loadedLater(() => import('../../ui/print/PrintPages.tsx'), 'PrintPreview');

const KINDS: readonly { readonly value: PrintKind; readonly label: Untranslated }[] = [
  { value: 'poster', label: translatable('Poster') },
  { value: 'tent', label: translatable('Table tent') },
  { value: 'sticker', label: translatable('Stickers') },
];
/** Choices besides a placement: the form's own code, or a page for each placement. */
const [PLAIN, EVERY] = ['', 'every'];

const everyOf = (kind: PrintKind, count: number): string =>
  kind === 'sticker' ? t('All {count}, one sticker each', { count }) : t('All {count}, a page each', { count });

interface PrintFormProps {
  readonly property: Property;
  readonly tools: readonly Tool[];
}

/** Prints codes: chooses the kind, paper and placement, and shows a preview. */
export function PrintForm({ property, tools }: PrintFormProps) {
  const [kind, setKind] = useState<PrintKind>('poster');
  const [paper, setPaper] = useState(usualPaper);
  const [placement, setPlacement] = useState(PLAIN);
  const orderOf = usePrintOrder(property);
  const order = orderOf?.({ kind, paper, tools: placement === EVERY ? tools : tools.filter(({ id }) => id === placement) });
  return (
    <div className={styles['form']}>
      <div className={styles['fields']}>
        <NativeSelect
          label={t('Layout')}
          data={KINDS.map(({ value, label }) => ({ value, label: t(label) }))}
          value={kind}
          onChange={({ currentTarget }) => setKind(currentTarget.value as PrintKind)}
        />
        <NativeSelect
          label={t('Paper')}
          data={[...PAPERS]}
          value={paper}
          onChange={({ currentTarget }) => setPaper(currentTarget.value as PaperName)}
        />
        {tools.length > 0 && (
          <NativeSelect
            label={t('Placement')}
            data={[
              { value: PLAIN, label: t('None, the plain link') },
              ...(tools.length > 1 ? [{ value: EVERY, label: everyOf(kind, tools.length) }] : []),
              ...tools.map(({ id, data }) => ({ value: id, label: data.displayName })),
            ]}
            value={placement}
            onChange={({ currentTarget }) => setPlacement(currentTarget.value)}
          />
        )}
        <PrintButton order={order}>{t('Print or save as PDF')}</PrintButton>
      </div>
      <div className={styles['preview']}>
        {order && (
          <Later>
            <PrintPreview order={order} />
          </Later>
        )}
      </div>
    </div>
  );
}

import { IconFileTypePdf } from '@tabler/icons-react';
import { useState } from 'react';
import type { Property } from '#contract/property.ts';
import type { Tool } from '#contract/tool.ts';
import { Button, NativeSelect } from '../../ui/mantine.ts';
import { Notice } from '../../ui/Notice.tsx';
import type { PaperName, PrintKind } from '../../ui/print/sheets.ts';
import styles from './PrintForm.module.css';
import { usePrint, usualPaper } from './print.ts';

const KINDS: readonly { readonly value: PrintKind; readonly label: string }[] = [
  { value: 'poster', label: 'Poster' },
  { value: 'tent', label: 'Table tent' },
  { value: 'sticker', label: 'Stickers' },
];
const PAPERS: readonly PaperName[] = ['A4', 'A6', 'Letter'];
/** In place of a placement: the form's own code, or every placement's on a page of its own. */
const [PLAIN, EVERY] = ['', 'every'];

interface PrintFormProps {
  readonly property: Property;
  readonly tools: readonly Tool[];
}

/** Makes a PDF to print: what, on which paper, and for which placement. */
export function PrintForm({ property, tools }: PrintFormProps) {
  const [kind, setKind] = useState<PrintKind>('poster');
  const [paper, setPaper] = useState(usualPaper);
  const [which, setWhich] = useState(PLAIN);
  const { isPending, failure, print } = usePrint(property);
  const chosen = which === EVERY ? tools : tools.filter(({ id }) => id === which);
  return (
    <form
      className={styles['form']}
      aria-label="Print"
      onSubmit={(event) => {
        event.preventDefault();
        void print(kind, paper, chosen);
      }}
    >
      <NativeSelect label="What" data={KINDS} value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value as PrintKind)} />
      <NativeSelect
        label="Paper"
        data={[...PAPERS]}
        value={paper}
        onChange={({ currentTarget }) => setPaper(currentTarget.value as PaperName)}
      />
      {tools.length > 0 && (
        <NativeSelect
          label="Placement"
          data={[
            { value: PLAIN, label: 'None, the plain link' },
            ...(tools.length > 1 ? [{ value: EVERY, label: `All ${tools.length}, a page each` }] : []),
            ...tools.map(({ id, data }) => ({ value: id, label: data.displayName })),
          ]}
          value={which}
          onChange={({ currentTarget }) => setWhich(currentTarget.value)}
        />
      )}
      <Button type="submit" loading={isPending} leftSection={<IconFileTypePdf size={16} aria-hidden />}>
        Download PDF
      </Button>
      <Notice tone="bad">{failure}</Notice>
    </form>
  );
}

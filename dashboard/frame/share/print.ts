import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { placementOf } from '#contract/ids.ts';
import { dashed, type Property } from '#contract/property.ts';
import { stepOf } from '#contract/steps.ts';
import type { Tool } from '#contract/tool.ts';
import { formVersionQuery } from '../../data/queries.ts';
import { useSource } from '../../data/source.ts';
import { download } from '../../ui/download.ts';
import type { PaperName, PrintKind, SheetWords } from '../../ui/print/sheets.ts';
import { useFormAddress } from './address.ts';

/** Where paper is measured in inches, and elsewhere. */
export const usualPaper = (): PaperName => (/-(?:US|CA|MX|PH|CL|CO)\b/.test(navigator.language) ? 'Letter' : 'A4');

const FAILED = 'Your browser could not make the file. Reload the page and try again.';

/** Makes a file to print: a page for each of the placements, or one with the form's own code. What draws comes with the first that is wanted. */
export function usePrint(property: Property) {
  const sheetsFor = useSheets(property);
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  async function print(kind: PrintKind, paper: PaperName, tools: readonly Tool[] = []): Promise<void> {
    setPending(true);
    setFailure(undefined);
    try {
      const [{ printed }, { openPainter }] = await Promise.all([import('../../ui/print/sheets.ts'), import('../../ui/print/painter.ts')]);
      const file = await printed({ kind, paper, sheets: sheetsFor(tools), painter: openPainter() });
      download(file, `${nameOf(property, tools)}-${kind}-${paper.toLowerCase()}.pdf`);
    } catch (error) {
      console.warn('A sheet was not made:', error);
      setFailure(FAILED);
    } finally {
      setPending(false);
    }
  }
  return { isPending, failure, print };
}

/** What is to stand on each page. */
function useSheets({ data: { displayName: place, formId } }: Property): (tools: readonly Tool[]) => SheetWords[] {
  const { data: kept } = useQuery(formVersionQuery(useSource(), formId));
  const addressOf = useFormAddress();
  const question = kept ? stepOf(kept.form.data.steps, 'experience').title : 'How was your visit?';
  const plain = { place, question, address: addressOf(formId) };
  const placed = ({ id, data }: Tool): SheetWords => ({
    ...plain,
    placement: data.displayName,
    address: addressOf(formId, { at: placementOf(id) }),
  });
  return (tools) => (tools.length > 0 ? tools.map(placed) : [plain]);
}

const nameOf = ({ data }: Property, [only, ...others]: readonly Tool[]): string =>
  dashed(only && others.length === 0 ? `${data.displayName} ${only.data.displayName}` : data.displayName);

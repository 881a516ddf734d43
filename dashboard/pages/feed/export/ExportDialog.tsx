import { useCallback, useState } from 'react';
import { SHEET_FORMATS, type SheetFormat } from '#contract/export/sheet.ts';
import { translatable } from '#contract/language/translate.ts';
import { useAction } from '../../../data/useAction.ts';
import { ExportFiles } from '../../../frame/exports/ExportFiles.tsx';
import { useExports } from '../../../frame/exports/useExports.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { localZone } from '../../../ui/format/time.ts';
import { Aside, Form, Submit } from '../../../ui/forms/Form.tsx';
import { Dialog } from '../../../ui/layers/Dialog.tsx';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { Radio } from '../../../ui/theme/mantine.ts';
import { useFilters } from '../contexts.ts';
import { EXPORT, useExportLabel } from './export-menu.ts';

/** Exports the list as a file (docs/rules.md#exports). */
export function ExportDialog() {
  const [isOpen, dialog] = useLayer(EXPORT);
  const [isUsed, setUsed] = useState(false);
  const { open } = dialog;
  const notifyReady = useCallback(
    ({ data: { name } }: { readonly data: { readonly name: string } }) =>
      toast(t('{name} is ready.', { name }), { action: { label: t('Show'), run: open } }),
    [open],
  );
  const ignore = useCallback(() => undefined, []);
  const exports = useExports({ isOn: isOpen || isUsed, onComplete: isOpen ? ignore : notifyReady });
  return (
    <Dialog isOpen={isOpen} onClose={dialog.close} title={t('Export feedback')} size="lg">
      <ExportForm onBegun={() => setUsed(true)} />
      <ExportFiles exports={exports} />
    </Dialog>
  );
}

const FORMAT_LABELS: Record<SheetFormat, string> = { csv: 'CSV', xlsx: 'Excel (XLSX)' };
const FORMAT_DESCRIPTIONS = translatable({
  csv: 'For any program. Text that looks like a formula gets a leading quote.',
  xlsx: 'A workbook for Excel, Numbers, LibreOffice and Google Sheets.',
} satisfies Record<SheetFormat, string>);

function ExportForm({ onBegun }: { readonly onBegun: () => void }) {
  const { query } = useFilters();
  const { user } = useTeam();
  const [format, setFormat] = useState<SheetFormat>('xlsx');
  const create = useAction('export', 'create');
  return (
    <Form label={t('Export feedback')} onSubmit={() => void create.run({ ...query, format, zone: localZone() }, onBegun)}>
      <Radio.Group label={t('Format')} value={format} onChange={(chosen) => setFormat(chosen as SheetFormat)}>
        {SHEET_FORMATS.toReversed().map((each) => (
          <Radio key={each} value={each} label={FORMAT_LABELS[each]} description={t(FORMAT_DESCRIPTIONS[each])} mt={8} />
        ))}
      </Radio.Group>
      <Aside>
        {t('Everything in this list, with its filters.')}{' '}
        {user.data.level === 'admin'
          ? t('It contains visitors’ names, phone numbers and emails. Keep it safe.')
          : t('Visitors’ contact details are left out. Only admins can export them.')}
      </Aside>
      <Submit isPending={create.isPending} failure={create.failure}>
        {useExportLabel()}
      </Submit>
    </Form>
  );
}

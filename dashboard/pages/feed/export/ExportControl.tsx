import { IconDots, IconDownload } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { SHEET_FORMATS, type SheetFormat } from '#contract/export/sheet.ts';
import { useAction } from '../../../data/useAction.ts';
import { ExportFiles, rowsInWords } from '../../../frame/exports/ExportFiles.tsx';
import { useExports } from '../../../frame/exports/useExports.ts';
import { useTeam } from '../../../frame/team.ts';
import { localZone } from '../../../ui/format/time.ts';
import { Aside, Form, Submit } from '../../../ui/forms/Form.tsx';
import { useIsWide } from '../../../ui/hooks.ts';
import { Dialog } from '../../../ui/layers/Dialog.tsx';
import { useDialogAbove } from '../../../ui/layers/dialogs.ts';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import { toast } from '../../../ui/messages/Toasts.tsx';
import { loadedLater } from '../../../ui/page/Later.tsx';
import { ActionIcon, Button, Radio } from '../../../ui/theme/mantine.ts';
import { loadedTotal, type Total, totalInWords } from '../list/total.ts';
import { useFilters, useListed } from '../subjects.ts';

const ExportItem = loadedLater(() => import('./ExportItem.tsx'), 'ExportItem');

/** The export of the list, unless that is empty. */
export const ExportControl = () => (useListed().isBare ? null : <ExportButton />);

/** Exports the list as a file: a button, or on a phone an entry in the “…” menu (docs/rules.md#exports). */
function ExportButton() {
  const { total, list, unseen } = useListed();
  const isWide = useIsWide();
  const [isOpen, dialog] = useLayer('export');
  const [isUsed, setUsed] = useState(false);
  const { open } = dialog;
  const notifyReady = useCallback(
    ({ data: { name } }: { readonly data: { readonly name: string } }) =>
      toast(`${name} is ready.`, { action: { label: 'Show', run: open } }),
    [open],
  );
  const ignore = useCallback(() => undefined, []);
  const exports = useExports({ isOn: isOpen || isUsed, onWhole: isOpen ? ignore : notifyReady });
  const label = labelOf(total ?? loadedTotal(list, unseen));
  useDialogAbove(isOpen);
  return (
    <>
      {isWide ? (
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={open}>
          {label}
        </Button>
      ) : (
        <MenuButton
          button={
            <ActionIcon variant="default" size="lg" aria-label="More for this list">
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          }
        >
          <ExportItem onClick={open}>{label}</ExportItem>
        </MenuButton>
      )}
      <Dialog isOpen={isOpen} onClose={dialog.close} title="Export feedback" size="lg">
        <ExportForm label={label} onBegun={() => setUsed(true)} />
        <ExportFiles exports={exports} />
      </Dialog>
    </>
  );
}

function labelOf(total: Total | undefined): string {
  if (total === undefined) return 'Export';
  return `Export ${total.isAtLeast ? `${totalInWords(total)} rows` : rowsInWords(total.count)}`;
}

const FORMAT_LABELS: Record<SheetFormat, string> = { csv: 'CSV', xlsx: 'Excel (XLSX)' };
const FORMAT_DESCRIPTIONS: Record<SheetFormat, string> = {
  csv: 'For any program. Text that looks like a formula gets a leading quote.',
  xlsx: 'A workbook for Excel, Numbers, LibreOffice and Google Sheets.',
};

interface ExportFormProps {
  readonly label: string;
  readonly onBegun: () => void;
}

function ExportForm({ label, onBegun }: ExportFormProps) {
  const { query } = useFilters();
  const { user } = useTeam();
  const [format, setFormat] = useState<SheetFormat>('xlsx');
  const create = useAction('export', 'create');
  return (
    <Form label="Export feedback" onSubmit={() => void create.run({ ...query, format, zone: localZone() }, onBegun)}>
      <Radio.Group label="Format" value={format} onChange={(chosen) => setFormat(chosen as SheetFormat)}>
        {SHEET_FORMATS.toReversed().map((each) => (
          <Radio key={each} value={each} label={FORMAT_LABELS[each]} description={FORMAT_DESCRIPTIONS[each]} mt={8} />
        ))}
      </Radio.Group>
      <Aside>
        Everything in this list, with its filters.{' '}
        {user.data.level === 'admin'
          ? 'It contains visitors’ names, phone numbers and emails. Keep it safe.'
          : 'Visitors’ contact details are left out. Only admins can export them.'}
      </Aside>
      <Submit isPending={create.isPending} failure={create.failure}>
        {label}
      </Submit>
    </Form>
  );
}

import { IconChecks, IconDownload, IconListCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { inboxQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { useTeam } from '../../../frame/team.ts';
import { t } from '../../../language.ts';
import { Menu } from '../../../ui/layers/overlays.ts';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { useBulk, useFeedContent } from '../contexts.ts';
import { EXPORT, useExportLabel } from '../export/export-menu.ts';
import { MARK_ALL_READ } from '../work/MarkAllRead.tsx';
import { MORE_BUTTON } from '../work/useBulkState.ts';

/** The menu of rare actions: export, select rows, mark all as read. Empty if the list is. */
export function MoreItems() {
  const { account } = useTeam();
  const { isBare } = useFeedContent();
  const { isOn, start } = useBulk();
  const unread = useQuery(inboxQuery(useSource(), account.id)).data?.unread ?? 0;
  const isOff = useReadOnly() !== undefined;
  const [, exporting] = useLayer(EXPORT);
  const [, asking] = useLayer(MARK_ALL_READ);
  const exportLabel = useExportLabel();
  if (isBare) return null;
  return (
    <>
      <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={() => openFromMenu(exporting)}>
        {exportLabel}
      </Menu.Item>
      {!isOff && !isOn && (
        <Menu.Item leftSection={<IconListCheck size={16} aria-hidden />} onClick={start}>
          {t('Select')}
        </Menu.Item>
      )}
      {!isOff && unread > 0 && (
        <Menu.Item leftSection={<IconChecks size={16} aria-hidden />} onClick={() => openFromMenu(asking)}>
          {t('Mark all as read')}
        </Menu.Item>
      )}
    </>
  );
}

/** Opens a dialog, which returns the focus to the menu's button: the menu's entry will be gone. */
function openFromMenu(dialog: { open(): void }): void {
  document.querySelector<HTMLElement>(`[${MORE_BUTTON}]`)?.focus();
  dialog.open();
}

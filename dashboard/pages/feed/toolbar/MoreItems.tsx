import { IconChecks, IconDownload, IconListCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { inboxQuery } from '../../../data/queries.ts';
import { useSource } from '../../../data/source.ts';
import { useReadOnly } from '../../../frame/plan/read-only.ts';
import { useTeam } from '../../../frame/team.ts';
import { Menu } from '../../../ui/layers/overlays.ts';
import { useLayer } from '../../../ui/layers/useLayer.ts';
import { EXPORT, exportLabel } from '../export/ExportDialog.tsx';
import type { Total } from '../list/total.ts';
import { MARK_ALL_READ } from '../work/MarkAllRead.tsx';
import type { Bulk } from '../work/useBulk.ts';

interface MoreItemsProps {
  /** The number of rows, if known. */
  readonly total: Total | undefined;
  readonly bulk: Bulk;
}

/** What is done with the list rarely: exporting it, selecting rows, and marking everything as read. */
export function MoreItems({ total, bulk }: MoreItemsProps) {
  const { account } = useTeam();
  const unread = useQuery(inboxQuery(useSource(), account.id)).data?.unread ?? 0;
  const isOff = useReadOnly() !== undefined;
  const [, exporting] = useLayer(EXPORT);
  const [, asking] = useLayer(MARK_ALL_READ);
  return (
    <>
      <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={exporting.open}>
        {exportLabel(total)}
      </Menu.Item>
      {!isOff && !bulk.isOn && (
        <Menu.Item leftSection={<IconListCheck size={16} aria-hidden />} onClick={bulk.start}>
          Select
        </Menu.Item>
      )}
      {!isOff && unread > 0 && (
        <Menu.Item leftSection={<IconChecks size={16} aria-hidden />} onClick={asking.open}>
          Mark all as read
        </Menu.Item>
      )}
    </>
  );
}

import { IconDownload } from '@tabler/icons-react';
import { Menu } from '../../../ui/layers/overlays.ts';

/** The menu entry that opens the export. */
export const ExportItem = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={onClick}>
    {children}
  </Menu.Item>
);

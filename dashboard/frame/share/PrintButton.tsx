import { IconPrinter } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Later, loadedLater } from '../../ui/page/Later.tsx';
import type { PrintOrder } from '../../ui/print/order.ts';
import { Button } from '../../ui/theme/mantine.ts';

const PrintPages = loadedLater(() => import('../../ui/print/PrintPages.tsx'), 'PrintPages');

/** Opens the browser's print dialog. Disabled while there is nothing to print yet. */
export function PrintButton({ order, children }: { order: PrintOrder | undefined; children: ReactNode }) {
  const [printed, setPrinted] = useState<PrintOrder>();
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPrinter size={16} aria-hidden />}
        disabled={!order}
        onClick={() => setPrinted(order && { ...order })}
      >
        {children}
      </Button>
      {printed && (
        <Later>
          <PrintPages order={printed} />
        </Later>
      )}
    </>
  );
}

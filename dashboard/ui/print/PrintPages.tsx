import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import type { PrintOrder } from './order.ts';
import styles from './Sheets.module.css';
import { Sheets } from './Sheets.tsx';

/** Opens the browser's print dialog for each new order. The pages stay, because some browsers render them after the dialog closes. */
export function PrintPages({ order }: { order: PrintOrder }) {
  useEffect(() => {
    // Browsers suggest the title as the name of a PDF file.
    const { title } = document;
    document.title = order.fileName;
    print();
    document.title = title;
  }, [order]);
  return createPortal(
    <div className={styles['waiting']}>
      <Sheets order={order} />
    </div>,
    document.body,
  );
}

/** The first page of an order, scaled to its box. */
export const PrintPreview = ({ order }: { order: PrintOrder }) => (
  <div className={styles['preview']}>
    <Sheets order={order} most={1} />
  </div>
);

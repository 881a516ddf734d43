import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import type { PrintOrder } from './order.ts';
import styles from './Sheets.module.css';
import { Sheets } from './Sheets.tsx';

/** Opens the browser's print dialog for each new order. The pages stay, because some browsers render them after the dialog closes. */
export function PrintPages({ order }: { order: PrintOrder }) {
  const pages = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isCurrent = true;
    // Browsers print without pictures that are still being decoded.
    const logos = [...(pages.current?.querySelectorAll('img') ?? [])].map((logo) => logo.decode().catch(() => undefined));
    void Promise.all(logos).then(() => {
      if (isCurrent) printAs(order.fileName);
    });
    return () => {
      isCurrent = false;
    };
  }, [order]);
  return createPortal(
    <div ref={pages} className={styles['waiting']}>
      <Sheets order={order} />
    </div>,
    document.body,
  );
}

function printAs(fileName: string): void {
  // Browsers suggest the title as the name of a PDF file.
  const { title } = document;
  document.title = fileName;
  print();
  document.title = title;
}

/** The first page of an order, scaled to its box. */
export const PrintPreview = ({ order }: { order: PrintOrder }) => (
  <div className={styles['preview']}>
    <Sheets order={order} most={1} />
  </div>
);

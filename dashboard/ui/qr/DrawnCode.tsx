import { modulesOf, pathOf } from './codes.ts';
import styles from './QrCode.module.css';

/** A QR code as an SVG. */
export function DrawnCode({ text, label }: { text: string; label: string }) {
  const code = modulesOf(text);
  return (
    <svg viewBox={`0 0 ${code.size} ${code.size}`} className={styles['code']} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={pathOf(code)} fill="currentColor" />
    </svg>
  );
}

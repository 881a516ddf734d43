import { modulesOf, pathOf } from './codes.ts';
import styles from './QrCode.module.css';

/** A code as it is scanned from the screen. */
export function DrawnCode({ text, label }: { text: string; label: string }) {
  const code = modulesOf(text);
  return (
    <svg viewBox={`0 0 ${code.size} ${code.size}`} className={styles['code']} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={pathOf(code)} fill="currentColor" />
    </svg>
  );
}

import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import styles from './Welcome.module.css';

/** What the product is, for somebody who has come here without knowing. */
export const Welcome = () => (
  <div className={styles['welcome']}>
    <p>Afterword collects feedback from the people who visit you, and shows it to your team at once.</p>
    <p className={styles['links']}>
      <Link to={paths.demo}>Try the demo</Link>
      {/* Not of the dashboard: the server's own page. */}
      <a href={paths.about}>What is Afterword?</a>
    </p>
  </div>
);

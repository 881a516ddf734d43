import { Link } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { Button } from '../ui/mantine.ts';
import { Panel } from '../ui/Panel.tsx';
import { useTitle } from '../ui/useTitle.ts';
import styles from './SignUp.module.css';

/** Sign-up is not open yet: says so, and what can be done instead. */
export function SignUp() {
  useTitle('Sign up');
  return (
    <Panel
      below={
        <>
          Already have an account? <Link to={paths.feed}>Sign in</Link>
        </>
      }
    >
      <div className={styles['words']}>
        <h1>Sign up</h1>
        <p>New accounts can’t be created here yet. Whoever runs this installation can add you to a team.</p>
        <p>Until then, look around with the feedback of a made-up café. It needs no account, and nothing is saved.</p>
        <Button component={Link} to={paths.demo} fullWidth>
          Try the demo
        </Button>
      </div>
    </Panel>
  );
}

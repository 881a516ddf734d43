import { hydrateRoot } from 'react-dom/client';
import type { FormProps } from '#contract/form-page.ts';
import { Form } from './Form.tsx';

const root = document.getElementById('form');
const props = document.getElementById('props')?.textContent;
// Written by the server's renderForm.
if (root && props) hydrateRoot(root, <Form {...(JSON.parse(props) as FormProps)} />);

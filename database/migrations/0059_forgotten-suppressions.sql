-- For the job that deletes the addresses of old suppressions of all accounts.
create policy looked_over on suppression for select to afterword_app using (current_setting('app.operator', true) = 'on');
create policy forgotten on suppression for update to afterword_app using (current_setting('app.operator', true) = 'on');

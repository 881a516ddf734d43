-- A job deletes views permanently, a day after they were deleted.
create policy looked_over on saved_view for select to afterword_app using (current_setting('app.operator', true) = 'on' and deleted is not null);
create policy forgotten on saved_view for delete to afterword_app using (current_setting('app.operator', true) = 'on' and deleted is not null);

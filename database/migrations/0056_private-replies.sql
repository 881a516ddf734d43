-- The form shows whether visitors can ask for an answer.
grant select (private_replies) on property to afterword_intake;
